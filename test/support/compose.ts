// A compose file as it is without an .env file.

/** Puts the default in the place of each `${NAME:-default}` and `${NAME:?message}`. */
export function defaultsOf(text: string): string {
  return text
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replaceAll(/\$\{\w+:\?[^}]*\}/g, 'up.example.com')
}
