// Builds the programs that tests use and Go builds, and says where they are: `.ci/run` calls it before the tests.
import { buildNatsServer } from './nats-server.ts'
import { buildFerretdb } from './servers/ferretdb.ts'
import { buildGrpcServer } from './servers/grpc.ts'
import { buildKafka } from './servers/kafka.ts'
import { buildMinecraft } from './servers/minecraft.ts'
import { buildMysqlMethods } from './servers/mysql-methods.ts'

console.log(buildNatsServer())
console.log(buildGrpcServer())
console.log(buildFerretdb())
console.log(buildKafka())
console.log(buildMysqlMethods())
console.log(buildMinecraft())
