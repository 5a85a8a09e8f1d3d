// ioquake3 as Debian has it: engine and logic of the game, which is not free, on a map of our own that is empty.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'
import { innerFolder } from '../test-folder.ts'
import { answersDatagrams } from './datagrams.ts'

/** It is not on PATH. */
const folder = '/usr/lib/ioquake3'
const program = join(folder, 'ioq3ded')
const logic = join(folder, 'baseq3/qagamex86_64.so')

export const skipWithoutQuake3 =
  existsSync(program) && existsSync(logic) ? false : 'not installed: ioquake3-server'

const question = Buffer.from('\xff\xff\xff\xffgetinfo x', 'latin1')

/** Called Arena, in a color, for twelve players. Returns the port. */
export async function startQuake3(t: Test): Promise<number> {
  const dir = innerFolder(t, 'quake3')
  const port = await freePort()
  mkdirSync(join(dir, 'arena/maps'), { recursive: true })
  writeFileSync(join(dir, 'arena/default.cfg'), '\n')
  writeFileSync(join(dir, 'arena/maps/box.bsp'), emptyMap())
  copyFileSync(logic, join(dir, 'arena/qagamex86_64.so'))
  const settings = {
    ...{
      com_standalone: 1,
      com_basegame: 'arena',
      fs_basepath: dir,
      fs_homepath: join(dir, 'home'),
    },
    ...{ dedicated: 1, net_enabled: 1, net_ip: '127.0.0.1', net_port: port },
    ...{ vm_game: 0, bot_enable: 0, sv_hostname: '^1Arena', sv_maxclients: 12 },
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['+set', name, String(value)])
  const child = childOf(t, program)
  await child.start([...args, '+map', 'box'], () => answersDatagrams(port, question))
  return port
}

/** A map of id Tech 3 with nothing in it but what each must have. */
function emptyMap(): Buffer {
  const entities = '{\n"classname" "worldspawn"\n}\n{\n"classname" "info_player_deathmatch"\n}\n\0'
  const ints = (...values: readonly number[]) => Buffer.from(Int32Array.from(values).buffer)
  const floats = (...values: readonly number[]) => Buffer.from(Float32Array.from(values).buffer)
  const parts = Array.from({ length: 17 }, () => Buffer.alloc(0))
  parts[0] = Buffer.from(entities)
  parts[1] = Buffer.concat([Buffer.from('noshader'.padEnd(64, '\0')), ints(0, 0)])
  parts[2] = floats(1, 0, 0, 0)
  parts[3] = ints(0, -1, -1, -1, -1, -1, 1, 1, 1)
  parts[4] = ints(0, 0, -1, -1, -1, 1, 1, 1, 0, 0, 0, 0)
  parts[7] = Buffer.concat([floats(-1, -1, -1, 1, 1, 1), ints(0, 0, 0, 0)])
  let at = 8 + 8 * parts.length
  const places = parts.map((part) => {
    const place = ints(at, part.length)
    at += part.length
    return place
  })
  return Buffer.concat([Buffer.from('IBSP'), ints(46), ...places, ...parts])
}
