// Lets tests run code of the console that imports what only its build makes: the routes of the API.
import { registerHooks } from 'node:module'
import { apiDocument, routesOf } from '../../scripts/console/api-types.ts'

const source = `export default ${JSON.stringify(routesOf(apiDocument()))}`
const url = `data:text/javascript,${encodeURIComponent(source)}`

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'api:routes' ? { url, shortCircuit: true } : next(specifier, context),
})
