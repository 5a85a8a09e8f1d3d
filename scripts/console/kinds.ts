// What the console knows of the kinds of checks: `import known from 'api:kinds'`.
import * as lucide from 'lucide'
import type { KindFacts, KnownKinds } from '../../src/console/base/kind-facts.ts'
import { sourcesOf } from '../../src/domain/assertions/expectation.ts'
import { isChecked, waitsForReports } from '../../src/domain/checks/check-type.ts'
import {
  type CheckKind,
  hasField,
  monitorDefaults,
} from '../../src/domain/monitors/monitor-fields.ts'
import { checkKinds } from '../../src/probes/registry.ts'
import type { ProbedKind } from '../../src/probes/run/kind.ts'

export function knownKinds(): KnownKinds {
  const kinds = Object.fromEntries(checkKinds.map((kind) => [kind.type, factsOf(kind)]))
  const unknown = factsOf({
    type: '',
    family: 'more',
    icon: 'activity',
    fields: [],
    sources: [],
    textName: '',
  })
  return { usual: monitorDefaults.checkType, kinds, unknown }
}

function factsOf({
  type,
  icon,
  schemes = [],
  sources,
  ...kind
}: CheckKind & Partial<ProbedKind>): KindFacts {
  const { keeps = 'all', servers = {}, ...typed } = kind.typed ?? {}
  return {
    icon: drawn(icon),
    family: kind.family,
    schemes,
    example: kind.example ?? '',
    typedSchemes: typed.schemes ?? schemes,
    typedPorts: typed.ports ?? [],
    keeps,
    isNamedByPath: typed.isNamedByPath ?? false,
    servers,
    message: kind.message ? { is: kind.message.is, example: kind.message.example } : null,
    signsIn: hasField({ fields: kind.fields ?? [] }, 'username'),
    needsWords: kind.expects === 'words',
    sources: sourcesOf({ sources }),
    waitsForReports: waitsForReports({ checkType: type }),
    isChecked: isChecked({ checkType: type }),
    hasMembers: kind.fields?.includes('members') ?? false,
  }
}

/** The drawing of a name, such as `shield-check`. Throws for a name that lucide does not have. */
function drawn(name: string): lucide.IconNode {
  const exported = name.replace(/(?:^|-)(.)/g, (_, first: string) => first.toUpperCase())
  const icon = Object.entries(lucide.icons).find(([one]) => one === exported)?.[1]
  if (!icon) throw new Error(`lucide has no drawing ${name}`)
  return icon
}
