// Bodies in Liquid become body templates, if they only name what is known here.
import t from 'tap'
import { liquidBody } from '../../../../src/domain/imports/kuma/kuma-liquid.ts'

t.test('names become the values that they stand for, in each way to write them', (t) => {
  const name = '{{data.monitors.0.name}}'
  const same = [
    '{{name}}',
    '{{ NAME }}',
    '{{- monitorJSON.name -}}',
    `{{ monitorJSON["name"] }}`,
    `{{monitorJSON['name']}}`,
  ]
  for (const liquid of same) t.equal(liquidBody(`a ${liquid} b`), `a ${name} b`, liquid)
  t.equal(liquidBody('{"m": {{ name | json }}}'), `{"m": "${name}"}`)
  t.match(liquidBody('{"h": {{ heartbeatJSON | json }}}'), '"time":"{{timestamp}}"')
  t.equal(liquidBody('no names at all'), 'no names at all')
  t.end()
})

t.test('what Liquid computes is not translated, nor is an unknown name', (t) => {
  const others = [
    '',
    '{% if heartbeatJSON %}x{% endif %}',
    '{{ msg | upcase }}',
    '{{ msg | json | upcase }}',
    '{{ heartbeatJSON.ping }}',
    '{{ monitorJSON }}',
    '{{ constructor }}',
    '{{ monitorJSON["__proto__"] }}',
    '{{}}',
  ]
  for (const liquid of others) t.equal(liquidBody(liquid), undefined, liquid)
  t.end()
})
