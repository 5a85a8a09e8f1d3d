// Builds the nats-server of the tests, and says where it is: `.ci/run` calls it before the tests.
import { buildNatsServer } from './nats-server.ts'

console.log(buildNatsServer())
