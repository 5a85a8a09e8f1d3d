/** Shown by the service in place of a secret; sent back, it keeps the secret. */
export const secretMask = '••••'
