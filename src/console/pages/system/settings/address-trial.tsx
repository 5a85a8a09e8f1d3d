// Whether the addresses in the form lead to this service, before they are stored.
import { type Signal, useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../../api/client.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { asProblem } from '../../../api/resource.ts'
import { Said } from '../../../parts/text/said.tsx'
import { listed, punctuation, words } from '../../../words/words.ts'
import { isLocked, type Setting } from './settings-model.ts'

type TriedAddresses = Data<'settings.checkAddresses'>

export interface AddressTrial {
  readonly result: Signal<TriedAddresses | undefined>
  /** Throws ApiProblem. */
  run(values: Readonly<Record<string, unknown>>, settings: readonly Setting[]): Promise<void>
}

const names = ['baseUrl', 'statusDomain'] as const

export function useAddressTrial(): AddressTrial {
  const result = useSignal<TriedAddresses | undefined>(undefined)
  return {
    result,
    async run(values, settings) {
      result.value = undefined
      const given = names.filter((name) => {
        const setting = settings.find((one) => one.name === name)
        return setting && !isLocked(setting) && values[name]
      })
      const body = Object.fromEntries(given.map((name) => [name, String(values[name])]))
      try {
        result.value = await fetchData('settings.checkAddresses', { body })
      } catch (error) {
        const problem = asProblem(error)
        const fields = problem.fields.map((one) => ({ ...one, pointer: `/http${one.pointer}` }))
        throw new ApiProblem(problem.message, { ...problem, fields })
      }
    },
  }
}

export function AddressResult({ trial: { result } }: { readonly trial: AddressTrial }) {
  const { baseUrl, statusDomain } = result.value ?? {}
  return (
    <div role="status" aria-live="polite" class="form">
      {[baseUrl, statusDomain].map((one) => one && <Tried key={one.host} {...one} />)}
    </div>
  )
}

function Tried({ host, addresses, leadsHere, reason }: TriedAddresses['baseUrl']) {
  const { address: texts } = words.value.settings
  return (
    <div class={`note ${leadsHere ? 'is-up' : 'is-degraded'}`}>
      <p>
        <strong>{leadsHere ? texts.leadsHere({ host }) : texts.leadsElsewhere({ host })}</strong>
        {punctuation.value.gap}
        {reason !== null && <Said text={reason} />}
      </p>
      {addresses.length > 0 && <p>{texts.resolves({ addresses: listed(addresses) })}</p>}
    </div>
  )
}
