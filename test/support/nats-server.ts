// The program nats-server, from Go's module proxy.
import { builtWithGo, type GoProgram, skipWithoutGo } from './built-with-go.ts'

const version = '2.15.2'
const natsServer: GoProgram = {
  name: 'nats-server',
  version,
  build: `GOBIN="$PWD/building" go install github.com/nats-io/nats-server/v2@v${version}`,
}

/** Throws if it cannot be built. */
export function buildNatsServer(): string {
  return builtWithGo(natsServer)
}

/** Why tests with NATS are skipped. */
export function skipWithoutNats(): string | false {
  return skipWithoutGo(natsServer)
}
