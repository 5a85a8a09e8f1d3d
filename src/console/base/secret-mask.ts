// The mask that the service shows in place of a secret; sent back, it keeps the secret.
export const secretMask = '••••'
