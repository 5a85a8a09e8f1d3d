// A session that ended in the middle of work: a dialog above the page asks who is there, and the call
// that was refused goes on. If it is somebody else, nothing goes on.
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { fetchData, type Renewal } from '../api/client.ts'
import { onStreamRefused } from '../api/live.ts'
import { confirmWithPasskey, signInWithPasskey } from '../api/passkeys.ts'
import { ApiProblem, atField } from '../api/problem.ts'
import { asProblem } from '../api/resource.ts'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { TextField } from '../parts/form/fields.tsx'
import { hasUnsavedForms, useForm } from '../parts/form/form.ts'
import { FormFrame } from '../parts/form/form-frame.tsx'
import { PasskeyButton } from '../parts/form/passkey-button.tsx'
import { CodeField, PasswordField, refusedAt } from '../parts/form/proof-fields.tsx'
import {
  isLeaving,
  isSessionThere,
  leaveSignedOut,
  loadSession,
  onSessionElsewhere,
  session,
} from '../stores/session.ts'
import { words } from '../words/words.ts'

interface RenewalQuestion {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (problem: ApiProblem) => void
}

const signInAsked = signal<RenewalQuestion | undefined>(undefined)
const confirmAsked = signal<RenewalQuestion | undefined>(undefined)

/** Calls that are refused at the same time share one question. */
function askOnce(asked: typeof signInAsked): Promise<void> {
  if (asked.value) return asked.value.promise
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  asked.value = { promise, resolve, reject }
  return promise
}

const signIn = () => askOnce(signInAsked)

export const renewal: Renewal = {
  signIn,
  // A fresh sign-in confirms it, too.
  confirm: () => (signInAsked.value ? signIn() : askOnce(confirmAsked)),
}

function answered(asked: typeof signInAsked): void {
  const question = asked.value
  asked.value = undefined
  question?.resolve()
}

/** Somebody is signed in again. For another person, the page is loaded anew: no call goes on. */
async function signedIn(): Promise<void> {
  if ((await loadSession()) !== 'known') return
  answered(signInAsked)
  answered(confirmAsked)
}

export function RenewalDialog() {
  useEffect(followSession, [])
  if (signInAsked.value) return <SignInAgain />
  return confirmAsked.value ? <Confirm asked={confirmAsked.value} /> : null
}

/** Other tabs sign in and out, and sessions end while nobody is looking. */
function followSession(): () => void {
  const look = () => void (session.peek() && !isLeaving() && lookAgain().catch(() => {}))
  const lookIfShown = () => document.visibilityState === 'visible' && look()
  onSessionElsewhere((userId) => {
    if (userId === null && session.peek() && !hasUnsavedForms()) leaveSignedOut()
    else look()
  })
  onStreamRefused(look)
  document.addEventListener('visibilitychange', lookIfShown)
  return () => document.removeEventListener('visibilitychange', lookIfShown)
}

async function lookAgain(): Promise<void> {
  if (!(await isSessionThere())) void signIn()
  else if (signInAsked.value) await signedIn()
}

function SignInAgain() {
  const { signIn } = words.value.shell
  return (
    <Dialog title={signIn.title}>
      <p>{signIn.expired}</p>
      <SignInForm email={session.value?.user.email ?? ''} onDone={signedIn} />
      {session.value?.hasPasskey && <PasskeyButton prove={signInWithPasskey} onDone={signedIn} />}
      <p>
        <a href="/sign-in" target="_blank" rel="noreferrer">
          {signIn.otherWays}
        </a>
      </p>
    </Dialog>
  )
}

interface SignInFormProps {
  readonly email: string
  readonly onDone: () => Promise<void>
}

/** Asks for the second factor only where there is one. */
function SignInForm({ email, onDone }: SignInFormProps) {
  const { signIn } = words.value.shell
  const rightPassword = useRef<string>(undefined)
  const form = useForm(
    () => ({
      ids: 'proof',
      initial: { email, password: '', totp: undefined as string | undefined },
      submit: async ({ email, password, totp }) => {
        const factor = totp === undefined ? {} : { totp }
        try {
          await fetchData('auth.login', { body: { email, password, ...factor } })
        } catch (error) {
          const problem = asProblem(error)
          if (problem.code === 'totp_required') {
            rightPassword.current = password
            throw atField(problem, { pointer: '/totp', message: signIn.codeNeeded })
          }
          if (password === rightPassword.current) throw refusedAt('/totp', error, signIn.wrongCode)
          throw refusedAt('/password', error, signIn.wrong)
        }
        await onDone()
      },
    }),
    [],
  )
  const wantsCode = form.problem.value?.code === 'totp_required' || form.get('/totp') !== undefined
  return (
    <FormFrame form={form} submitText={signIn.submit}>
      <TextField
        pointer="/email"
        label={signIn.email}
        type="email"
        autoComplete="username"
        shouldFocus={email === ''}
      />
      <PasswordField shouldFocus={email !== ''} />
      {wantsCode && <CodeField />}
    </FormFrame>
  )
}

function Confirm({ asked }: { asked: RenewalQuestion }) {
  const { signIn: texts } = words.value.shell
  const form = useForm(
    () => ({
      ids: 'proof',
      initial: { password: '', totp: undefined as string | undefined },
      submit: async ({ password, totp }) => {
        const body = totp === undefined ? { password } : { totp }
        try {
          await fetchData('auth.reauthenticate', { body })
        } catch (error) {
          // The session ended meanwhile. Signing in answers this question as well.
          if (error instanceof ApiProblem && error.code === 'unauthenticated') return void signIn()
          throw totp === undefined
            ? refusedAt('/password', error, texts.wrongPassword)
            : refusedAt('/totp', error, texts.wrongCode)
        }
        answered(confirmAsked)
      },
    }),
    [],
  )
  const hasTotp = session.value?.hasTotp === true
  function giveUp(): void {
    confirmAsked.value = undefined
    asked.reject(new ApiProblem(texts.confirm, { status: 403, code: 'reauthentication_required' }))
  }
  return (
    <Dialog title={texts.confirmSubmit} onClose={giveUp}>
      <p>{hasTotp ? texts.confirmEither : texts.confirm}</p>
      <FormFrame form={form} submitText={texts.confirmSubmit}>
        <PasswordField shouldFocus />
        {hasTotp && <CodeField />}
      </FormFrame>
      {session.value?.hasPasskey && (
        <PasskeyButton prove={confirmWithPasskey} onDone={() => answered(confirmAsked)} />
      )}
    </Dialog>
  )
}
