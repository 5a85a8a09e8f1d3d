// Messages in Chinese, in simplified characters.
import type { Words } from './words.ts'

const days = (count: number) => (count === 0 ? '不到一天' : `${count} 天`)

export const zh: Words = {
  isDown: (name) => `${name} 服务中断`,
  isSlow: (name) => `${name} 响应缓慢`,
  wasDown: (name) => `${name} 曾服务中断`,
  wasSlow: (name) => `${name} 曾响应缓慢`,
  reopened: (title) => `重新打开：${title}`,
  resolved: (title) => `已恢复：${title}`,
  closedByHand: (title) => `手动关闭：${title}`,
  acknowledged: (title) => `已确认：${title}`,
  reminder: (title) => `提醒：${title}`,
  updated: (title) => `更新：${title}`,
  incidentsOpened: (count) => `新增 ${count} 个事件`,
  incidentsResolved: (count) => `${count} 个事件已恢复`,
  certificateExpires: (name, left) => `${name} 的证书还有${spaced(days(left))}到期`,
  domainExpires: (domain, left) => `域名 ${domain} 还有${spaced(days(left))}到期`,
  budgetAtRisk: (name) => `${name} 本月的错误预算将不足`,
  budgetExhausted: (name) => `${name} 本月的错误预算已用尽`,
  channelFails: (channel) => `无法向 ${channel} 发送警报`,
  channelWorks: (channel) => `已恢复向 ${channel} 发送警报`,
  test: (channel) => `${channel} 的测试`,
  labels: {
    cause: '原因',
    details: '详情',
    monitors: '监控项',
    started: '开始时间',
    reopened: '重新打开',
    lasted: '持续时间',
    lasting: '已持续',
    acknowledged: '确认时间',
    resolved: '恢复时间',
    closed: '关闭时间',
    update: '更新',
    message: '消息',
    note: '说明',
    delayed: '延迟发送',
    moreIncidents: '其他事件',
    monitor: '监控项',
    validUntil: '有效期至',
    issuer: '颁发者',
    registrar: '注册商',
    objective: '目标',
    budgetUsed: '已用预算',
    budgetEnds: '预计用尽时间',
    channel: '渠道',
    failingSince: '故障开始时间',
    waiting: '待发送消息',
  },
  statuses: {
    investigating: '调查中',
    identified: '已确定原因',
    monitoring: '观察中',
    resolved: '已恢复',
  },
  states: {
    open: '未处理',
    acknowledged: '已确认',
    resolved: '已恢复',
    stillFailing: '已手动关闭，故障仍在持续',
  },
  links: {
    incident: '查看事件',
    incidents: '查看所有事件',
    acknowledge: '查看并确认',
    runbook: '处理手册',
    target: '打开地址',
  },
  letter: {
    why: (channel) => `您收到此邮件，是因为警报渠道“${channel}”包含您的地址。`,
    openInstead: '或打开此地址',
    unsubscribe: '不再接收此类邮件',
  },
  more: (count) => `另外 ${count} 个`,
  flapping: '不稳定：监控项反复中断和恢复。',
  becameOutage: '已变为中断。',
  stillFailing: '服务仍未恢复。如果持续下去，事件将重新打开。',
  testBody: '此渠道工作正常。您的监控警报会发送到这里。',
}

/** A number is set off by a space, a word is not. */
function spaced(text: string): string {
  return /^\d/.test(text) ? ` ${text}` : text
}
