/**
 * What processes of a container may see of ours. NODE_OPTIONS, the harness's token and the like are not on the list,
 * and nothing on it is a credential.
 */
const PASSED_ON = [
  "PATH",
  "LANG",
  "TMPDIR",
  "TZ",
  // The local engine finds a container's processes by it; absent in the image.
  "PATCHWRIGHT_CONTAINER",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
] as const;

/** Those of `own` that are on the list, and `more` of them by name. */
export function passedOn(
  own: Readonly<Record<string, string | undefined>>,
  more: readonly string[] = [],
): Record<string, string> {
  const passed = [...PASSED_ON, ...more].flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(passed);
}
