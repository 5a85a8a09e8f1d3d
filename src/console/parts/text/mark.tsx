// The mark of the product, and the icon of the tab, which takes the tone of the worst state.
import mark from 'api:mark'

export type Tone = keyof typeof mark.icons

export function Mark({ tone }: { readonly tone: Tone }) {
  const { line, x, y } = mark.shapes[tone]
  return (
    <svg class={`brand-mark is-${tone}`} viewBox="0 0 32 32" aria-hidden="true">
      <path d={line} />
      <circle cx={x} cy={y} r="4" />
    </svg>
  )
}

export function showInTab(tone: Tone): void {
  document.querySelector('link[rel=icon]')?.setAttribute('href', mark.icons[tone])
}
