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

declare module 'api:brands' {
  /** By type of channel: the data of a path in a square of 24, and a colour. */
  const brands: Readonly<Record<string, { readonly path?: string; readonly color: string }>>
  export default brands
}

declare module 'api:looks' {
  /** The colours of the looks of status pages, by look and mode, as custom properties. */
  const looks: Readonly<
    Record<string, Readonly<Record<'light' | 'dark', Readonly<Record<string, string>>>>>
  >
  export default looks
}

declare module 'api:mark' {
  type MarkedTone = 'up' | 'slow' | 'down' | 'calm' | 'none'
  const mark: {
    /** In a square of 32: a path and the middle of its point. */
    readonly shapes: Readonly<
      Record<MarkedTone, { readonly line: string; readonly x: number; readonly y: number }>
    >
    /** The address of an image for each tone. */
    readonly icons: Readonly<Record<MarkedTone, string>>
  }
  export default mark
}

declare module 'api:probe-unit' {
  const unit: string
  export default unit
}

declare module 'texts:en' {
  const texts: import('./words/catalogue.ts').BuiltTexts
  export default texts
}

declare module 'texts:languages' {
  /** Each with its name for itself, and its locale for Intl. */
  export const languages: Readonly<
    Record<string, { readonly name: string; readonly locale: string }>
  >
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

/** Whether it is built for who develops it: then it has the page of all parts. */
declare const isForDevelopment: boolean
