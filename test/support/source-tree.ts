// The imports of a tree of sources: what imports what, in which direction, and where in a circle.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface SourceTree {
  /** Paths below the folder of the tree. */
  readonly files: readonly string[]
  textOf(file: string): string
  /** What a file imports of its own tree, types included. */
  importsOf(file: string): string[]
}

export function readTree(
  folder: string,
  isLeftOut: (file: string) => boolean = () => false,
): SourceTree {
  const files = globSync('**/*.{ts,tsx}', { cwd: folder })
    .filter((file) => !isLeftOut(file))
    .sort()
  const texts = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
  const textOf = (file: string) => texts.get(file) ?? ''
  return {
    files,
    textOf,
    importsOf(file) {
      const found = [...textOf(file).matchAll(/(?:from|import\() ?'(\.[^']+\.tsx?)'/g)]
      return found
        .map(([, target = '']) => join(dirname(file), target))
        .filter((target) => !target.startsWith('..'))
    },
  }
}

/** A file beside the folders is a layer of its own name. */
function layerOf(file: string): string {
  const [first = ''] = file.split('/')
  return first.replace(/\.tsx?$/, '')
}

/**
 * The imports that run against the layers: the lowest first, each a list of siblings, which never import
 * each other. Names a file whose layer is not listed.
 */
export function wrongImports(
  { files, importsOf }: SourceTree,
  layers: readonly (readonly string[])[],
): string[] {
  const rankOf = (file: string) => layers.findIndex((names) => names.includes(layerOf(file)))
  return files.flatMap((file) => {
    if (rankOf(file) < 0) return [`${file} has no place in the layers`]
    return importsOf(file)
      .filter((to) => layerOf(file) !== layerOf(to) && rankOf(to) >= rankOf(file))
      .map((to) => `${file} must not import ${to}`)
  })
}

/** The groups of nodes that can reach each other (Tarjan's strongly connected components). */
export function circles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const found: string[][] = []
  function visit(node: string): number {
    const index = order.size
    let low = index
    order.set(node, index)
    lowest.set(node, index)
    path.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (path.includes(next)) low = Math.min(low, lowest.get(next) ?? low)
      lowest.set(node, low)
    }
    if (low === index) {
      const circle = path.splice(path.indexOf(node))
      if (circle.length > 1) found.push(circle.sort())
    }
    return low
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return found
}

/** What imports what, files or folders. */
export function importGraph(
  { files, importsOf }: SourceTree,
  nameOf: (file: string) => string,
): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const file of files) {
    const from = nameOf(file)
    const targets = graph.get(from) ?? new Set()
    for (const to of importsOf(file)) if (nameOf(to) !== from) targets.add(nameOf(to))
    graph.set(from, targets)
  }
  return graph
}
