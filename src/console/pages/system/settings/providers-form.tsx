// The OpenID providers that people sign in with, each with the address to register there.
import { fetchData } from '../../../api/client.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { asProblem } from '../../../api/resource.ts'
import { outward } from '../../../base/base-path.ts'
import { tell } from '../../../parts/dialog/toast.tsx'
import { TextField } from '../../../parts/form/fields.tsx'
import { useForm } from '../../../parts/form/form.ts'
import { FormFrame } from '../../../parts/form/form-frame.tsx'
import { words } from '../../../words/words.ts'
import { SettingHelp } from './setting-help.tsx'
import { type GroupProps, isLocked, secretMask } from './settings-model.ts'

interface Provider {
  readonly name: string
  readonly label: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Kept as it is. */
  readonly scopes?: string
}

interface Providers {
  readonly providers: readonly Provider[]
}

const empty: Provider = { name: '', label: '', issuer: '', clientId: '', clientSecret: '' }

export function ProvidersForm({ group: { settings }, onSaved }: GroupProps) {
  const { settings: all, common } = words.value
  const texts = all.providers
  const [setting] = settings
  const form = useForm(
    () => ({
      initial: { providers: (setting?.value ?? []) as readonly Provider[] },
      submit: async (values: Providers) => {
        await fetchData('settings.change', { body: { auth: { oidc: wireOf(values) } } }).catch(
          (error: unknown) => {
            throw atProviders(error, values)
          },
        )
        tell(all.saved)
        onSaved()
      },
    }),
    [JSON.stringify(setting?.value)],
  )
  if (!setting) return null
  const { providers } = form.values.value
  const isDisabled = isLocked(setting)
  const put = (next: readonly Provider[]) => form.set('/providers', next)
  return (
    <FormFrame
      form={form}
      submitText={common.actions.save}
      {...(isDisabled
        ? {}
        : {
            more: (
              <button type="button" onClick={() => put([...providers, empty])}>
                {texts.add}
              </button>
            ),
          })}
    >
      <p class="help">
        <SettingHelp setting={setting} />
      </p>
      {providers.map((provider, index) => {
        const at = (name: string) => `/providers/${index}/${name}`
        return (
          <fieldset key={index} class="field">
            <legend>{provider.label || provider.name || texts.add}</legend>
            <div class="form">
              <div class="form-row">
                <TextField
                  isDisabled={isDisabled}
                  pointer={at('name')}
                  label={texts.name}
                  placeholder="company"
                />
                <TextField isDisabled={isDisabled} pointer={at('label')} label={texts.label} />
              </div>
              <TextField
                isDisabled={isDisabled}
                pointer={at('issuer')}
                label={texts.issuer}
                placeholder="https://login.example.com"
                type="url"
              />
              <div class="form-row">
                <TextField
                  isDisabled={isDisabled}
                  pointer={at('clientId')}
                  label={texts.clientId}
                />
                <TextField
                  isDisabled={isDisabled}
                  pointer={at('clientSecret')}
                  label={texts.clientSecret}
                  type="password"
                />
              </div>
              {provider.name !== '' && (
                <p class="help">
                  {texts.redirect} <code>{redirectOf(provider.name)}</code>
                </p>
              )}
              {!isDisabled && (
                <div>
                  <button
                    type="button"
                    class="quiet"
                    onClick={() => put(providers.filter((_, one) => one !== index))}
                  >
                    {texts.remove}
                  </button>
                </div>
              )}
            </div>
          </fieldset>
        )
      })}
    </FormFrame>
  )
}

const redirectOf = (name: string) =>
  `${location.origin}${outward(`/api/v1/auth/oidc/${name}/callback`)}`

/** Null without any: nothing is stored then. A label that is empty is left out, and is the name. */
function wireOf({ providers }: Providers): readonly object[] | null {
  if (providers.length === 0) return null
  return providers.map(({ label, ...more }) => (label === '' ? more : { label, ...more }))
}

/** The API names a provider by its name, or else by its place. */
function atProviders(error: unknown, { providers }: Providers): ApiProblem {
  const problem = asProblem(error)
  const fields = problem.fields.map((one) => {
    const [, , , which = '', field = ''] = one.pointer.split('/')
    const byName = providers.findIndex(({ name }) => name.trim() === which)
    const index = byName >= 0 ? byName : Number(which.replace('#', '')) - 1
    if (providers[index]) return { ...one, pointer: `/providers/${index}/${field}` }
    const moved = providers.findIndex(({ clientSecret }) => clientSecret === secretMask)
    return { ...one, pointer: `/providers/${Math.max(0, moved)}/clientSecret` }
  })
  return new ApiProblem(problem.message, { ...problem, fields })
}
