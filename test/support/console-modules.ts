// Lets tests run code of the console that imports what only its build makes.
import { registerHooks } from 'node:module'
import { apiDocument, routesOf } from '../../scripts/console/api-types.ts'
import { knownKinds } from '../../scripts/console/kinds.ts'

const moduleOf = (value: object) =>
  `data:text/javascript,${encodeURIComponent(`export default ${JSON.stringify(value)}`)}`

const modules: Readonly<Record<string, string>> = {
  'api:routes': moduleOf(routesOf(apiDocument())),
  'api:kinds': moduleOf(knownKinds()),
}

registerHooks({
  resolve(specifier, context, next) {
    const url = modules[specifier]
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
  },
})
