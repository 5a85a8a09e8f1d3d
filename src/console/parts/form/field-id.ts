// The id of the control of a field in the document.

/** `of` tells apart the fields of a form that lies above another one. */
export function fieldId(pointer: string, of = 'field'): string {
  return `${of}${pointer.replaceAll('/', '-')}`
}
