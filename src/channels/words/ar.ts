// Messages in Arabic. Names follow a preposition, since verbs and adjectives would need their gender.
import { pluralOf } from '../../domain/plural.ts'
import type { Words } from './words.ts'

const someDays = pluralOf('ar', {
  one: 'يوم واحد',
  two: 'يومين',
  few: '# أيام',
  many: '# يومًا',
  other: '# يوم',
})
const days = (count: number) => (count === 0 ? 'أقل من يوم' : someDays(count))

/** Keeps the order of a name in another script: FSI and PDI, https://www.unicode.org/reports/tr9/ */
const own = (name: string) => `\u2068${name}\u2069`

/** In the genitive, as it follows a verbal noun. */
const incidents = pluralOf('ar', {
  one: 'حادث واحد',
  two: 'حادثين',
  few: '# حوادث',
  many: '# حادثًا',
  other: '# حادث',
})

export const ar: Words = {
  isDown: (name) => `انقطاع في ${own(name)}`,
  isSlow: (name) => `بطء في ${own(name)}`,
  wasDown: (name) => `كان هناك انقطاع في ${own(name)}`,
  wasSlow: (name) => `كان هناك بطء في ${own(name)}`,
  reopened: (title) => `أُعيد فتحه: ${title}`,
  resolved: (title) => `تم الحل: ${title}`,
  closedByHand: (title) => `أُغلق يدويًا: ${title}`,
  acknowledged: (title) => `تم تأكيد الاستلام: ${title}`,
  reminder: (title) => `تذكير: ${title}`,
  updated: (title) => `تحديث: ${title}`,
  incidentsOpened: (count) => `تم فتح ${incidents(count)}`,
  incidentsResolved: (count) => `تم حل ${incidents(count)}`,
  certificateExpires: (name, left) => `تنتهي صلاحية شهادة ${own(name)} خلال ${days(left)}`,
  domainExpires: (domain, left) => `تنتهي صلاحية النطاق ${own(domain)} خلال ${days(left)}`,
  budgetAtRisk: (name) => `ميزانية الأخطاء لـ ${own(name)} لن تكفي هذا الشهر`,
  budgetExhausted: (name) => `نفدت ميزانية الأخطاء لـ ${own(name)} لهذا الشهر`,
  channelFails: (channel) => `تعذّر تسليم التنبيهات إلى ${own(channel)}`,
  channelWorks: (channel) => `استؤنف تسليم التنبيهات إلى ${own(channel)}`,
  test: (channel) => `اختبار ${own(channel)}`,
  labels: {
    cause: 'السبب',
    details: 'التفاصيل',
    monitors: 'المراقبات',
    started: 'البداية',
    reopened: 'أُعيد فتحه',
    lasted: 'المدة',
    lasting: 'المدة حتى الآن',
    acknowledged: 'وقت تأكيد الاستلام',
    resolved: 'وقت الحل',
    closed: 'وقت الإغلاق',
    update: 'تحديث',
    message: 'رسالة',
    note: 'ملاحظة',
    delayed: 'تأخر الإرسال',
    moreIncidents: 'حوادث أخرى',
    monitor: 'المراقبة',
    validUntil: 'صالح حتى',
    issuer: 'جهة الإصدار',
    registrar: 'مسجّل النطاق',
    objective: 'الهدف',
    budgetUsed: 'الميزانية المستخدمة',
    budgetEnds: 'تنفد في نحو',
    channel: 'القناة',
    failingSince: 'متعطلة منذ',
    waiting: 'رسائل قيد الانتظار',
  },
  statuses: {
    investigating: 'قيد التحقيق',
    identified: 'تم تحديد السبب',
    monitoring: 'قيد المتابعة',
    resolved: 'تم الحل',
  },
  states: {
    open: 'مفتوح',
    acknowledged: 'تم تأكيد الاستلام',
    resolved: 'تم الحل',
    stillFailing: 'أُغلق يدويًا والعطل مستمر',
  },
  links: {
    incident: 'عرض الحادث',
    incidents: 'عرض كل الحوادث',
    acknowledge: 'العرض وتأكيد الاستلام',
    runbook: 'دليل الإجراءات',
    target: 'فتح العنوان',
  },
  letter: {
    why: (channel) => `تصلك هذه الرسالة لأن قناة التنبيهات «${own(channel)}» تتضمن عنوانك.`,
    openInstead: 'أو افتح هذا العنوان',
    unsubscribe: 'إيقاف هذه الرسائل',
  },
  more: pluralOf('ar', { one: 'واحد آخر', two: 'اثنان آخران', other: '# أخرى' }),
  flapping: 'غير مستقر: تتكرر حالات الانقطاع والعودة.',
  becameOutage: 'تحول إلى انقطاع.',
  stillFailing: 'لا تزال الخدمة متعطلة. إذا استمر ذلك فسيُعاد فتح الحادث.',
  testBody: 'هذه القناة تعمل. تصل تنبيهات مراقباتك إلى هنا.',
}
