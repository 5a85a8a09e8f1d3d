// What only the build knows: style sheets, the API's routes and schemas of request bodies, and the
// address of the worker that tabs share.
declare module '*.css'

declare module 'api:routes' {
  const routes: Readonly<Record<keyof import('./generated/operations.ts').Operations, string>>
  export default routes
}

declare module 'schema:*' {
  const schema: import('./base/json-schema.ts').JsonSchema
  export default schema
}

declare const streamsWorkerUrl: string
