// Monitors of brokers in Uptime Kuma keep their topic, their sign-in and what they expect.
import t from 'tap'
import { fromKuma } from '../../../../src/domain/imports/kuma/kuma.ts'

const imported = (...monitorList: readonly object[]) => fromKuma({ monitorList })

t.test('an MQTT monitor waits for its message', async (t) => {
  const base = { type: 'mqtt', name: 'M', hostname: 'broker.test', port: 1883, mqttTopic: 'a/+/#' }
  const { monitors, notes } = imported(
    {
      ...base,
      mqttUsername: 'ann',
      mqttPassword: 'pass',
      mqttCheckType: 'keyword',
      mqttSuccessMessage: 'online',
    },
    {
      ...base,
      hostname: 'mqtts://broker.test',
      port: 8883,
      mqttTopic: 'a',
      mqttCheckType: 'json-query',
      jsonPath: '$.state.code',
      expectedValue: '1',
    },
    { ...base, mqttSuccessMessage: '', conditions: [{ type: 'expression' }] },
    { ...base, name: 'Web', hostname: 'wss://broker.test' },
  )
  t.equal(monitors.length, 3)
  t.match(monitors[0], {
    checkType: 'mqtt',
    url: 'mqtt://broker.test:1883/a/+/%23',
    username: 'ann',
    password: 'pass',
    assertions: [{ source: 'json', path: '$.value', type: 'contains', value: 'online' }],
  })
  t.match(monitors[1], {
    url: 'mqtts://broker.test:8883/a',
    assertions: [{ path: '$.value.state.code', type: 'equals', value: '1' }],
  })
  t.notOk(monitors[2]?.assertions)
  t.match(notes, [{ text: /its conditions/ }, { name: 'Web', text: /WebSocket/ }])
})

t.test('a RabbitMQ monitor asks the management interface as before', async (t) => {
  const { monitors, notes } = imported({
    type: 'rabbitmq',
    name: 'R',
    rabbitmqNodes: '["https://mq.test:15671/", "https://other.test"]',
    rabbitmqUsername: 'ann',
    rabbitmqPassword: 'pass',
  })
  t.match(monitors[0], {
    checkType: 'endpoint',
    url: 'https://mq.test:15671/api/health/checks/alarms/',
    headers: { Authorization: 'Basic YW5uOnBhc3M=' },
  })
  t.match(notes, [{ text: /its 2 nodes/ }])
})

t.test('a Kafka monitor that signs in by AWS waits for another sign-in', async (t) => {
  const sasl = { mechanism: 'aws', accessKeyId: 'AKIA', secretAccessKey: 'hidden' }
  const kafka = { type: 'kafka-producer', name: 'K', kafkaProducerTopic: 'orders', active: true }
  const { monitors, notes } = imported({
    ...kafka,
    kafkaProducerBrokers: ['a.test:9093'],
    kafkaProducerSaslOptions: sasl,
  })
  t.match(monitors, [{ checkType: 'kafka', isActive: false }])
  t.match(notes, [{ text: /its message/ }, { text: /its sign-in by AWS: it is paused/ }])
  t.notMatch(JSON.stringify(notes), /hidden/)
})

t.test('a Kafka monitor looks at its topic', async (t) => {
  const base = { type: 'kafka-producer', name: 'K', kafkaProducerTopic: 'orders' }
  const sasl = { mechanism: 'scram-sha-256', username: 'ann', password: 'pass' }
  const { monitors, notes } = imported(
    {
      ...base,
      kafkaProducerBrokers: ['a.test:9093', 'b.test:9093'],
      kafkaProducerSsl: true,
      kafkaProducerSaslOptions: sasl,
    },
    {
      ...base,
      kafkaProducerBrokers: '["c.test"]',
      kafkaProducerSaslOptions: { mechanism: 'None' },
    },
  )
  t.match(monitors[0], {
    checkType: 'kafka',
    url: 'kafkas://a.test:9093/orders?sasl=scram-sha-256',
    username: 'ann',
    password: 'pass',
  })
  t.match(monitors[1], { url: 'kafka://c.test:9092/orders' })
  t.notOk(monitors[1]?.username)
  t.match(notes, [{ text: /its 2 brokers/ }, { text: /its message/ }, { text: /its message/ }])
})
