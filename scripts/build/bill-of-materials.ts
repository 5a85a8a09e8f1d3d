// What a release is made of: a bill of materials (CycloneDX 1.6), and the licences as one text. Made
// from what esbuild read, so they name what is in the program, no more and no less.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Package } from './packages.ts'
import { type Arch, root, version } from './places.ts'

function purlOf({ name, version }: Package): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** The checksum of npm is base64, that of CycloneDX hexadecimal. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [method = '', text = ''] = integrity.split('-', 2)
  const alg = method.replace(/^sha/, 'SHA-')
  return { alg, content: Buffer.from(text, 'base64').toString('hex') }
}

/** One word is an SPDX id, more are an expression. */
function licenceOf(license: string): object {
  return license.includes(' ') ? { expression: license } : { license: { id: license } }
}

/** The bill, which has no time or serial number: the same program has the same bill. */
export function billOfMaterials(packages: readonly Package[], arch: Arch): object {
  const own = `pkg:npm/stillup@${version}?arch=${arch}`
  const program = { type: 'application', 'bom-ref': own, name: 'stillup', version, purl: own }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...program, licenses: [{ license: { id: 'MIT' } }] } },
    components: packages.map((one) => ({
      type: one.name.startsWith('node-linux-') ? 'platform' : 'library',
      'bom-ref': purlOf(one),
      name: one.name,
      version: one.version,
      hashes: [hashOf(one.integrity)],
      licenses: [licenceOf(one.license)],
      purl: purlOf(one),
    })),
    dependencies: [{ ref: own, dependsOn: packages.map(purlOf) }],
  }
}

const rule = '='.repeat(78)

/** Texts that several packages share are there once. */
export function thirdPartyLicences(packages: readonly Package[]): string {
  const byText = Map.groupBy(packages, ({ licenseText }) => licenseText)
  const parts = [...byText].map(([text, sharing]) => {
    const names = sharing.map(({ name, version, license }) => `${name} ${version} (${license})`)
    return `${rule}\n${names.join('\n')}\n${rule}\n\n${text}\n`
  })
  const fonts = readFileSync(join(root, 'src/pages/fonts/LICENSE'), 'utf8')
  const typeface = `${rule}\nInter (OFL-1.1), the typeface\n${rule}\n\n${fonts}\n`
  return `stillup ${version} contains the following software of others.\n\n${[...parts, typeface].join('\n')}`
}
