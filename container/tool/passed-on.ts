/**
 * What processes of a container may see of ours. NODE_OPTIONS, the harness's token and the like are not on the list,
 * and nothing on it is a credential.
 */
export const PASSED_ON = [
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
