// The fields that prove who somebody is: the password, and the code of the second factor.
import { type ApiProblem, atField } from '../../api/problem.ts'
import { asProblem } from '../../api/resource.ts'
import { words } from '../../words/words.ts'
import { TextField } from './fields.tsx'

export interface ProofFieldProps {
  readonly shouldFocus?: boolean
  /** Default: the field of the body of a sign-in. */
  readonly pointer?: string
  readonly label?: string
}

export function PasswordField({ pointer = '/password', label, ...more }: ProofFieldProps) {
  return (
    <TextField
      {...more}
      pointer={pointer}
      label={label ?? words.value.shell.signIn.password}
      type="password"
      autoComplete="current-password"
    />
  )
}

export function CodeField({ pointer = '/totp', label, ...more }: ProofFieldProps) {
  return (
    <TextField
      {...more}
      pointer={pointer}
      label={label ?? words.value.shell.signIn.code}
      autoComplete="one-time-code"
      emptyAs={undefined}
    />
  )
}

/** A proof that was refused is told at its field. */
export function refusedAt(pointer: string, error: unknown, message: string): ApiProblem {
  const problem = asProblem(error)
  return problem.code === 'invalid_credentials' ? atField(problem, { pointer, message }) : problem
}
