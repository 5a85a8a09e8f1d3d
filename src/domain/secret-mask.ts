// The mask: what answers show in place of a secret.

/** What stands for a secret in answers; sent back in a change, it keeps the secret. */
export const secretMask = '••••'
