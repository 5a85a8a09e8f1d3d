// What only the build knows: style sheets, the API's routes and schemas of request bodies, and the
// address of the worker that tabs share.
declare module '*.css'

declare module 'api:routes' {
  const routes: Readonly<Record<keyof import('./generated/operations.ts').Operations, string>>
  export default routes
}

declare module 'api:kinds' {
  const known: import('./base/kind-facts.ts').KnownKinds & {
    readonly usual: import('./api/kinds.ts').CheckType
  }
  export default known
}

declare module 'texts:en' {
  const texts: import('./words/catalogue.ts').BuiltTexts
  export default texts
}

declare module 'texts:languages' {
  /** Each with its name for itself. */
  export const languages: Readonly<Record<string, string>>
  /** The texts of all but English, which comes with the page. */
  export const loadTexts: Readonly<
    Record<string, () => Promise<{ readonly default: import('./words/catalogue.ts').BuiltTexts }>>
  >
}

declare module 'schema:*' {
  const schema: import('./base/json-schema.ts').JsonSchema
  export default schema
}

declare const streamsWorkerUrl: string
