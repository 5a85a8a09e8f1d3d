// npm run sim -- --seed 7 …: a fleet through faults. npm run sim -- cells …: many cells, on paper.
const [first, ...rest] = process.argv.slice(2)

async function main(): Promise<number> {
  if (first === 'cells') return (await import('./cells/run.ts')).runCells(rest)
  return (await import('./fleet/run.ts')).runFleet(process.argv.slice(2))
}

process.exitCode = await main()
