// What the console knows of the kinds of checks: `import known from 'api:kinds'`.
import type { KindFacts, KnownKinds } from '../../src/console/base/kind-facts.ts'
import { waitsForReports } from '../../src/domain/checks/check-type.ts'
import { type CheckKind, monitorDefaults } from '../../src/domain/monitors/monitor-fields.ts'
import { checkKinds } from '../../src/probes/registry.ts'
import type { ProbedKind } from '../../src/probes/run/kind.ts'

export function knownKinds(): KnownKinds {
  const kinds = Object.fromEntries(checkKinds.map((kind) => [kind.type, factsOf(kind)]))
  const unknown = factsOf({ type: '', fields: [], sources: [], textName: '' })
  return { usual: monitorDefaults.checkType, kinds, unknown }
}

function factsOf({ type, schemes = [], ...kind }: CheckKind & Partial<ProbedKind>): KindFacts {
  const { keeps = 'all', servers = {}, ...typed } = kind.typed ?? {}
  return {
    schemes,
    example: kind.example ?? '',
    typedSchemes: typed.schemes ?? schemes,
    typedPorts: typed.ports ?? [],
    keeps,
    servers,
    needsWords: kind.expects === 'words',
    waitsForReports: waitsForReports({ checkType: type }),
  }
}
