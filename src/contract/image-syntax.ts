/** An image: host, path, tag and digest. distribution/reference v0.6.0, regexp.go */
export const IMAGE_SYNTAX =
  /^([\w.-]+(:\d+)?\/)?[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:\w[\w.-]{0,127})?(@[a-z0-9]+:[0-9a-f]{32,})?$/;
