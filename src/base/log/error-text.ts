// What a thrown value says: its message, or itself as text.
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
