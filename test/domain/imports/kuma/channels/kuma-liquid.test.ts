// Bodies in Liquid become body templates, if they only name what is known here.
import t from 'tap'
import { liquidBody } from '../../../../../src/domain/imports/kuma/channels/kuma-liquid.ts'

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
    '{% if heartbeatJSON %}x',
    '{% endif %}',
    '{% if msg contains "x" %}x{% endif %}',
    '{% if monitorJSON %}x{% elsif msg %}y{% endif %}',
    '{% for tag in monitorJSON.tags %}{{ tag.name }}{% endfor %}',
    '{% if monitorJSON %}x{% endif',
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

t.test('conditions about the state and about a monitor become sections', (t) => {
  const known = (text: string) => `{{#data.incident.id}}${text}{{/data.incident.id}}`
  t.equal(
    liquidBody(`Alert{% if monitorJSON %} - {{ monitorJSON['name'] }}{% endif %}`),
    `Alert${known(' - {{data.monitors.0.name}}')}`,
  )
  const over = '{{#data.incident.resolvedAt}}up{{/data.incident.resolvedAt}}'
  const open = '{{^data.incident.resolvedAt}}down{{/data.incident.resolvedAt}}'
  for (const condition of ['heartbeatJSON.status == 1', `heartbeatJSON["status"] != 0`]) {
    t.equal(liquidBody(`{%- if ${condition} -%}up{% else %}down{%- endif %}`), over + open)
  }
  const nested = '{% if heartbeatJSON %}{% if heartbeatJSON.status==0 %}down{% endif %}{% endif %}'
  t.equal(liquidBody(nested), known(open))
  t.end()
})
