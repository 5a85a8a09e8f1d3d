// What only the build knows: style sheets, the API's schemas of request bodies, and the address of the
// worker that tabs share.
declare module '*.css'

declare module 'schema:*' {
  const schema: import('./parts/form/schema.ts').JsonSchema
  export default schema
}

declare const streamsWorkerUrl: string
