// How the news of a message looks.
import type { Tone } from './message.ts'

const colours: Readonly<Record<Tone, string>> = {
  bad: '#d92d20',
  warning: '#e08600',
  good: '#16a34a',
  neutral: '#2563eb',
}

/** The colour of a tone, as #rrggbb. */
export function colourOf(tone: Tone): string {
  return colours[tone]
}
