// What a check looks at, with a default for everything: what a test sets is what it is about.

import { type Expectation, usualExpectation } from '../../src/domain/assertions/expectation.ts'
import type { EndpointTarget } from '../../src/domain/monitors/monitor.ts'

export function makeExpectation(expect: Partial<Expectation> = {}): Expectation {
  return { ...usualExpectation, ...expect }
}

export type TargetFields = Partial<Omit<EndpointTarget, 'expect'>> & {
  readonly expect?: Partial<Expectation>
}

export function makeTarget({ expect, ...fields }: TargetFields = {}): EndpointTarget {
  return {
    checkType: 'endpoint',
    url: 'http://127.0.0.1/',
    method: 'GET',
    headers: {},
    body: null,
    timeoutMs: 2_000,
    followRedirects: true,
    maxRedirects: 10,
    ignoreTlsErrors: false,
    ipFamily: 'any',
    ...fields,
    expect: makeExpectation(expect),
  }
}
