// The providers of alerts of Gatus that are one request of HTTP: they become webhooks that send the same.
import { type ForeignFields, fieldsOf, listOf, type Note, textOf } from '../foreign.ts'
import { type AlertProvider, type AlertWords, ProviderRefused } from './provider.ts'

const ended = 'data.incident.resolvedAt'

/** What a template says of an alert that is resolved, and of one that is triggered. */
function chosen(resolved: string, triggered: string): string {
  return `{{#${ended}}}${resolved}{{/${ended}}}{{^${ended}}}${triggered}{{/${ended}}}`
}

/** As Gatus calls an endpoint in messages. */
function displayed({ group }: AlertWords): string {
  return group === '' ? '{{data.monitors.0.name}}' : `${plain(group)}/{{data.monitors.0.name}}`
}

/** Two braces would begin a name of a template. */
function plain(text: string): string {
  return text.replace(/\{(?=\{)/g, '{ ')
}

const unsaid = (name: string, text: string) => (text === '' ? {} : { [name]: plain(text) })

const bearer = (token: unknown) => ({ Authorization: `Bearer ${textOf(token)}` })

/** In JSON it is no text, unlike what else depends on the alert. */
const isResolved = '@resolved@'

interface RequestForm {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
  readonly part?: string
}

const withoutConditions = 'its messages do not list the conditions'

/** A request whose body has name and group of the endpoint, and the description of the alert. */
function requests(
  settings: Pick<AlertProvider, 'needs' | 'takes' | 'hasNoGroups'>,
  form: (config: ForeignFields, words: AlertWords) => RequestForm | readonly RequestForm[],
): AlertProvider {
  return {
    ...settings,
    isRequest: true,
    differs: withoutConditions,
    saysOf: (_, words) => words,
    make: (config, words) =>
      [form(config, words)].flat().map(({ url, headers, body, part }) => ({
        type: 'webhook',
        ...(part === undefined ? {} : { part }),
        config: {
          url,
          ...(headers === undefined ? {} : { headers }),
          bodyTemplate: JSON.stringify(body).replace(`"${isResolved}"`, chosen('true', 'false')),
        },
      })),
  }
}

export const requestProviders: Readonly<Record<string, AlertProvider>> = {
  custom: {
    needs: ['url'],
    takes: ['method', 'body', 'headers', 'placeholders'],
    isRequest: true,
    saysOf: ({ url, body }, { description, group }) => {
      const names = (placeholder: string) =>
        textOf(url).includes(placeholder) || textOf(body).includes(placeholder)
      return {
        description: names('[ALERT_DESCRIPTION]') ? description : '',
        group: names('[ENDPOINT_GROUP]') ? group : '',
      }
    },
    make: (config, words, note) => [{ type: 'webhook', config: customOf(config, words, note) }],
  },
  datadog: requests({ needs: ['api-key'], takes: ['site', 'tags'] }, (config, words) => ({
    url: `https://api.${textOf(config.site) || 'datadoghq.com'}/api/v1/events`,
    headers: { 'DD-API-KEY': textOf(config['api-key']) },
    body: {
      title: `${chosen('Resolved', 'Alert')}: ${displayed(words)}`,
      text: `{{title}}\n\n{{text}}${described(words, '\n\nDescription: ')}`,
      priority: 'normal',
      tags: [
        'source:gatus',
        'endpoint:{{data.monitors.0.name}}',
        `status:${chosen('success', 'error')}`,
        ...(words.group === '' ? [] : [`group:${plain(words.group)}`]),
        ...listOf(config.tags).map((tag) => plain(textOf(tag))),
      ],
      alert_type: chosen('success', 'error'),
      source_type_name: 'gatus',
    },
  })),
  gitlab: requests(
    {
      needs: ['webhook-url', 'authorization-key'],
      takes: ['severity', 'monitoring-tool', 'environment-name', 'service'],
      hasNoGroups: true,
    },
    (config, words) => {
      const tool = textOf(config['monitoring-tool']) || 'gatus'
      const service = plain(textOf(config.service)) || displayed(words)
      return {
        url: textOf(config['webhook-url']),
        headers: bearer(config['authorization-key']),
        body: {
          title: `alert(${plain(tool)}): ${service}`,
          description: `{{title}}${described(words, ':\n> ')}\n\n{{text}}`,
          start_time: '{{data.incident.startedAt}}',
          end_time: '{{data.incident.resolvedAt}}',
          service,
          monitoring_tool: plain(tool),
          hosts: '{{data.monitors.0.url}}',
          ...unsaid('gitlab_environment_name', textOf(config['environment-name'])),
          severity: plain(textOf(config.severity)) || 'critical',
          fingerprint: '{{data.incident.id}}',
        },
      }
    },
  ),
  homeassistant: requests({ needs: ['url', 'token'] }, (config, words) => ({
    url: `${textOf(config.url)}/api/events/gatus_alert`,
    headers: bearer(config.token),
    body: {
      event_type: 'gatus_alert',
      event_data: {
        status: chosen('resolved', 'triggered'),
        endpoint: displayed(words),
        ...unsaid('description', words.description),
      },
    },
  })),
  ifttt: requests({ needs: ['webhook-key', 'event-name'] }, (config, words) => ({
    url: `https://maker.ifttt.com/trigger/${textOf(config['event-name'])}/with/key/${textOf(config['webhook-key'])}`,
    body: {
      value1: `${chosen('✅ RESOLVED', '🚨 ALERT')}: ${displayed(words)}`,
      value2: '{{title}}',
      value3: [
        `Endpoint: ${displayed(words)}`,
        ...(words.group === '' ? [] : [`Group: ${plain(words.group)}`]),
        ...(words.description === '' ? [] : [`Description: ${plain(words.description)}`]),
      ].join(' | '),
    },
  })),
  'incident-io': requests(
    { needs: ['url', 'auth-token'], takes: ['source-url', 'metadata'] },
    (config, words) => ({
      url: textOf(config.url),
      headers: bearer(config['auth-token']),
      body: {
        alert_source_config_id: textOf(config.url).split('/').at(-1) ?? '',
        title: `Gatus: ${displayed(words)}`,
        status: chosen('resolved', 'firing'),
        deduplication_key: '{{data.incident.id}}',
        description: `{{title}}${described(words, ' with the following description: ')}\n{{text}}`,
        ...unsaid('source_url', textOf(config['source-url'])),
        metadata: Object.fromEntries(
          Object.entries(fieldsOf(config.metadata)).map(([name, value]) => [
            plain(name),
            typeof value === 'string' ? plain(value) : value,
          ]),
        ),
      },
    }),
  ),
  messagebird: requests(
    { needs: ['access-key', 'originator', 'recipients'], hasNoGroups: true },
    (config, words) => ({
      url: 'https://rest.messagebird.com/messages',
      headers: { Authorization: `AccessKey ${textOf(config['access-key'])}` },
      body: {
        originator: plain(textOf(config.originator)),
        recipients: plain(textOf(config.recipients)),
        body: shortNews(words),
      },
    }),
  ),
  n8n: requests({ needs: ['webhook-url'], takes: ['title'] }, (config, words) => ({
    url: textOf(config['webhook-url']),
    body: {
      title: plain(textOf(config.title)) || 'Gatus',
      endpoint_name: '{{data.monitors.0.name}}',
      ...unsaid('endpoint_group', words.group),
      endpoint_url: '{{data.monitors.0.url}}',
      ...unsaid('alert_description', words.description),
      resolved: isResolved,
      message: '{{title}}',
    },
  })),
  newrelic: requests(
    { needs: ['insert-key', 'account-id'], takes: ['region'] },
    (config, words) => ({
      url: `https://insights-collector.${
        textOf(config.region) === 'EU' ? 'eu01.nr-data.net' : 'newrelic.com'
      }/v1/accounts/${textOf(config['account-id'])}/events`,
      headers: { 'X-Insert-Key': textOf(config['insert-key']) },
      body: [
        {
          eventType: 'GatusAlert',
          service: 'Gatus',
          endpoint: displayed(words),
          ...unsaid('group', words.group),
          alertStatus: chosen('resolved', 'triggered'),
          message: '{{title}}',
          ...unsaid('description', words.description),
          severity: chosen('INFO', 'CRITICAL'),
          source: 'gatus',
        },
      ],
    }),
  ),
  plivo: requests({ needs: ['auth-id', 'auth-token', 'from', 'to'] }, (config, words) => {
    const login = `${textOf(config['auth-id'])}:${textOf(config['auth-token'])}`
    return listOf(config.to).map((to) => ({
      url: `https://api.plivo.com/v1/Account/${textOf(config['auth-id'])}/Message/`,
      headers: { Authorization: `Basic ${Buffer.from(login).toString('base64')}` },
      body: { src: plain(textOf(config.from)), dst: plain(textOf(to)), text: shortNews(words) },
      part: textOf(to),
    }))
  }),
  signl4: requests({ needs: ['team-secret'] }, (config, words) => ({
    url: `https://connect.signl4.com/webhook/${textOf(config['team-secret'])}`,
    body: {
      Title: `${chosen('RESOLVED', 'TRIGGERED')}: ${displayed(words)}`,
      Message: `{{title}}${described(words, '\n\nDescription: ')}\n\n{{text}}`,
      'X-S4-Service': displayed(words),
      'X-S4-Status': chosen('resolved', 'new'),
      'X-S4-ExternalID': 'gatus-{{data.incident.id}}',
    },
  })),
  splunk: requests(
    { needs: ['hec-url', 'hec-token'], takes: ['source', 'sourcetype', 'index'] },
    (config, words) => ({
      url: `${textOf(config['hec-url'])}/services/collector/event`,
      headers: { Authorization: `Splunk ${textOf(config['hec-token'])}` },
      body: {
        source: plain(textOf(config.source)) || 'gatus',
        sourcetype: plain(textOf(config.sourcetype)) || 'gatus:alert',
        ...unsaid('index', textOf(config.index)),
        event: {
          alert_type: chosen('resolved', 'triggered'),
          endpoint: displayed(words),
          ...unsaid('group', words.group),
          status: chosen('ok', 'critical'),
          message: '{{title}}',
          ...unsaid('description', words.description),
        },
      },
    }),
  ),
  squadcast: requests({ needs: ['webhook-url'] }, (config, words) => ({
    url: textOf(config['webhook-url']),
    body: {
      message: `${chosen('RESOLVED', 'ALERT')}: ${displayed(words)}`,
      description: `{{title}}${described(words, '\n\nDescription: ')}\n\n{{text}}`,
      event_id: 'gatus-{{data.incident.id}}',
      status: chosen('resolve', 'trigger'),
      tags: { endpoint: '{{data.monitors.0.name}}', group: plain(words.group), source: 'gatus' },
    },
  })),
  webex: requests({ needs: ['webhook-url'] }, (config, words) => ({
    url: textOf(config['webhook-url']),
    body: {
      markdown:
        `${chosen('✅ **RESOLVED**', '🚨 **ALERT**')}: ${displayed(words)}\n\n{{title}}` +
        `${described(words, '\n\n**Description**: ')}\n\n{{text}}`,
    },
  })),
  zapier: requests({ needs: ['webhook-url'] }, (config, words) => ({
    url: textOf(config['webhook-url']),
    body: {
      alert_type: chosen('resolved', 'triggered'),
      status: chosen('ok', 'critical'),
      endpoint: displayed(words),
      ...unsaid('group', words.group),
      message: '{{title}}',
      ...unsaid('description', words.description),
      timestamp: '{{timestamp}}',
    },
  })),
}

function described({ description }: AlertWords, before: string): string {
  return description === '' ? '' : `${before}${plain(description)}`
}

function shortNews(words: AlertWords): string {
  const news = `${chosen('RESOLVED', 'TRIGGERED')}: ${displayed(words)}`
  return `${news} - ${plain(words.description)}`
}

/** The methods of webhooks. */
const customMethods = ['POST', 'PUT', 'PATCH', 'GET']
const customBodyCharsMax = 16 * 1024

/** What a template that must not be empty says, so that the body is. */
const emptyBody = '{{^title}}{{/title}}'

/** The request of the provider that people write themselves. Throws ProviderRefused. */
function customOf(
  config: ForeignFields,
  words: AlertWords,
  note: Note,
): Readonly<Record<string, unknown>> {
  const method = textOf(config.method).toUpperCase() || 'GET'
  if (!customMethods.includes(method)) {
    throw new ProviderRefused(`webhooks do not send ${method}`)
  }
  const body = filled(typeof config.body === 'string' ? config.body : '', 'body')
  if (body.length > customBodyCharsMax) {
    throw new ProviderRefused(`its body has more than ${customBodyCharsMax} characters`)
  }
  if (method === 'GET' && body !== '') note('its body: GET has none')
  const headers = Object.entries(fieldsOf(config.headers)).map(([name, value]) => [
    name,
    textOf(value),
  ])
  return {
    url: filled(textOf(config.url), 'url'),
    method,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(method === 'GET' ? {} : { bodyTemplate: body === '' ? emptyBody : body }),
  }

  function filled(text: string, place: 'body' | 'url'): string {
    if (text.includes('{{')) {
      throw new ProviderRefused(`its ${place} has {{, which begins a name here`)
    }
    const written = place === 'url' ? encodeURIComponent : plain
    const states = fieldsOf(fieldsOf(config.placeholders).ALERT_TRIGGERED_OR_RESOLVED)
    const state = (name: string) => written(textOf(states[name] ?? name))
    const values: Readonly<Record<string, string>> = {
      ALERT_DESCRIPTION: written(words.description),
      ALERT_TRIGGERED_OR_RESOLVED: chosen(state('RESOLVED'), state('TRIGGERED')),
      ENDPOINT_GROUP: written(words.group),
      ENDPOINT_NAME: '{{data.monitors.0.name}}',
      ENDPOINT_URL: '{{data.monitors.0.url}}',
      RESULT_CONDITIONS: chosen('', '{{data.incident.cause}}'),
      RESULT_ERRORS: chosen('', '{{data.incident.cause}}'),
    }
    if (text.includes('[RESULT_CONDITIONS]')) {
      note(`[RESULT_CONDITIONS] in its ${place}: the cause of the outage takes its place`)
    }
    return text.replace(/\[([A-Z_]{1,40})\]/g, (all, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? all) : all,
    )
  }
}
