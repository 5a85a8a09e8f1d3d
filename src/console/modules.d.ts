// Modules that only the build knows: style sheets, and the API's schemas of request bodies.
declare module '*.css'

declare module 'schema:*' {
  const schema: import('./parts/form/schema.ts').JsonSchema
  export default schema
}
