// Looks up a TXT record at several name servers, each asked on its own: ours, and if there are fewer than
// two, also the domain's own.
import { Resolver as CaresResolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { limits } from '../../domain/limits/limits.ts'
import type { Guard } from '../egress-policy.ts'
import { codeOf } from '../failure.ts'
import type { Resolver } from './resolver.ts'

/** The texts of one name server's answer; null if it did not answer, or failed to. */
export type TextAnswer = readonly string[] | null

export interface TextRecordsDeps {
  readonly resolver: Pick<Resolver, 'servers' | 'resolve'>
  readonly guard: Pick<Guard, 'judgeAddress'>
  /** Where the name servers of domains listen; for tests. */
  readonly authoritativePort?: number
}

export interface TextQuestion {
  readonly name: string
  /** The names whose name servers may be asked: from the longest to the registered domain. */
  readonly zones: readonly string[]
  readonly orgId: string
}

/** Answers that say that there is no such record. */
const noneCodes = new Set(['ENOTFOUND', 'ENODATA'])
const serversTogether = 2

export type TextRecords = ReturnType<typeof createTextRecords>

/** Name servers that are asked for a proof: ours, and the domain's own. */
const domainNameServersMax = 4

export function createTextRecords({ resolver, guard, authoritativePort = 53 }: TextRecordsDeps) {
  /** The addresses of name servers of the innermost of the zones that has any. */
  async function serversOf({ zones, orgId }: TextQuestion): Promise<readonly string[]> {
    const channel = channelTo(resolver.servers)
    for (const zone of zones) {
      const names = await channel.resolveNs(zone).catch(() => [])
      if (names.length === 0) continue
      const some = names.toSorted().slice(0, domainNameServersMax)
      const found = await Promise.all(some.map((name) => addressOf(name, orgId)))
      return found.flatMap((address) => address ?? []).slice(0, serversTogether)
    }
    return []
  }

  async function addressOf(name: string, orgId: string): Promise<string | undefined> {
    const { addresses = [] } = await resolver.resolve(name.toLowerCase(), 'any', orgId)
    const allowed = addresses.filter((one) => guard.judgeAddress(one).allowed)
    const address = allowed.find((one) => isIP(one) === 4) ?? allowed[0]
    if (address === undefined) return undefined
    return isIP(address) === 6
      ? `[${address}]:${authoritativePort}`
      : `${address}:${authoritativePort}`
  }

  return {
    /** The answer of each name server. Never rejects. */
    async ask(question: TextQuestion): Promise<readonly TextAnswer[]> {
      const own = [...new Set(resolver.servers)].slice(0, domainNameServersMax)
      if (own.length === 0) return []
      const theirs = own.length < serversTogether ? await serversOf(question) : []
      const servers = [...new Set([...own, ...theirs])]
      return Promise.all(servers.map((server) => textsAt(server, question.name)))
    },
  }
}

async function textsAt(server: string, name: string): Promise<TextAnswer> {
  try {
    const found = await channelTo([server]).resolveTxt(name)
    // DNS sends a long text in pieces; where it is cut has no meaning.
    return found.map((pieces) => pieces.join(''))
  } catch (cause) {
    return noneCodes.has(codeOf(cause)) ? [] : null
  }
}

function channelTo(servers: readonly string[]): CaresResolver {
  const channel = new CaresResolver({ timeout: limits.dnsTryMsMax, tries: 2 })
  channel.setServers(servers)
  return channel
}
