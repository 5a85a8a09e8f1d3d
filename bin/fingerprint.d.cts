/** Names, sizes and times of all files that a bundle is made from, as a hash. */
export function fingerprint(root: string): string
