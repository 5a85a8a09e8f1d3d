// The form that a field is in: that of the frame around it.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Form } from './form.ts'

// biome-ignore lint/suspicious/noExplicitAny: frames and fields take forms of all values
export type AnyForm = Form<any>

export const FormContext = createContext<AnyForm | undefined>(undefined)

export function useFormAround(): AnyForm {
  const form = useContext(FormContext)
  if (!form) throw new Error('a field is in no form')
  return form
}
