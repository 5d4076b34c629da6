/** The tag of an image, where it is a version. */
export const VERSION_TAG = /:v?(\d+\.\d+\.\d+)(@.*)?$/;
