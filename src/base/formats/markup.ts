// Text in HTML and XML: characters that would be read as markup are written as entities.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** In text and in quoted attributes of any markup. `characters` says which ones are written so. */
export function escapedMarkup(text: string, characters = /[&<>"']/g): string {
  return text.replace(characters, (char) => entities[char] ?? char)
}
