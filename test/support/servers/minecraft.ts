// A server of Minecraft by go-mc: see minecraft/main.go.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { builtFrom, builtWithGo, skipWithoutGo } from '../built-with-go.ts'

const minecraftServer = builtFrom('minecraft-server', join(import.meta.dirname, 'minecraft'))

/** Throws if it cannot be built. */
export function buildMinecraft(): string {
  return builtWithGo(minecraftServer)
}

/** Why tests with it are skipped. */
export function skipWithoutMinecraft(): string | false {
  return skipWithoutGo(minecraftServer)
}

/** Returns the port. */
export async function startMinecraft(t: Test): Promise<number> {
  const child = spawn(buildMinecraft(), [], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return Number(line.toString())
}
