// The choice of sections: a box for each.
import { type Html, html } from '../html.ts'

export interface SectionBoxes {
  readonly sections: readonly string[]
  readonly chosen: readonly string[]
  readonly legend: string
  readonly hint: string
}

/** Each box has a field of its own, because a form may not send a name twice. */
export function sectionBoxes({ sections, chosen, legend, hint }: SectionBoxes): Html {
  return html`<fieldset class="sections"><legend>${legend}</legend>
${sections.map((name, at) => box(name, `${sectionField}${at}`, chosen.includes(name)))}\
<small>${hint}</small></fieldset>
`
}

const sectionField = 'section-'

function box(name: string, field: string, isChosen: boolean): Html {
  return html`<label dir="auto">${
    isChosen
      ? html`<input type="checkbox" name="${field}" value="${name}" checked>`
      : html`<input type="checkbox" name="${field}" value="${name}">`
  } ${name}</label>
`
}

/** The chosen sections, from the fields of a form. */
export function chosenSections(fields: Readonly<Record<string, string>>): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    name.startsWith(sectionField) ? value : [],
  )
}
