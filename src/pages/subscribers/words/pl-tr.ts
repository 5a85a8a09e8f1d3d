// Letters to subscribers in Polish and Turkish.
import type { SubscriberWords } from './subscriber-words.ts'

export const pl: SubscriberWords = {
  news: {
    opened: 'Incydent',
    updated: 'Aktualizacja',
    resolved: 'Rozwiązano',
    scheduled: 'Zaplanowano prace',
    changed: 'Zmieniono termin prac',
    cancelled: 'Odwołano prace',
    begun: 'Prace się rozpoczęły',
    ended: 'Prace zakończone',
  },
  andMore: (title, more) => `${title} (i jeszcze ${more})`,
  status: 'Stan',
  viewIncident: 'Zobacz incydent',
  viewPage: 'Zobacz stronę stanu',
  change: 'Zmień subskrypcję',
  openInstead: 'Lub otwórz ten adres',
  why: (page) => `Ta wiadomość wynika z subskrypcji strony ${page}.`,
  confirm: {
    subject: (page) => `Potwierdź subskrypcję strony ${page}`,
    about: (page) =>
      `Ktoś poprosił o wysyłanie tutaj wiadomości o incydentach i pracach strony ${page}.`,
    button: 'Potwierdź subskrypcję',
    footer:
      'Link działa przez 24 godziny. Jeśli to pomyłka, zignoruj tę wiadomość: nic więcej nie przyjdzie.',
  },
  already: {
    subject: (page) => `Subskrypcja strony ${page}`,
    about: (page) => `Ktoś poprosił o subskrypcję strony ${page} tutaj. Subskrypcja już istnieje.`,
  },
  allSections: 'Wszystkie usługi',
  noneForAll: 'Nie wybieraj nic, aby otrzymywać wiadomości o wszystkich usługach.',
  save: 'Zapisz',
  saved: 'Zapisano.',
  secret: 'Wiadomości są podpisane tym sekretem (Standard Webhooks)',
  checkMessage: 'Otwórz link w wiadomości, która została tam właśnie wysłana.',
  goTo: 'Do strony stanu',
}

export const tr: SubscriberWords = {
  news: {
    opened: 'Olay',
    updated: 'Güncelleme',
    resolved: 'Çözüldü',
    scheduled: 'Bakım planlandı',
    changed: 'Bakım değişti',
    cancelled: 'Bakım iptal edildi',
    begun: 'Bakım başladı',
    ended: 'Bakım tamamlandı',
  },
  andMore: (title, more) => `${title} (ve ${more} tane daha)`,
  status: 'Durum',
  viewIncident: 'Olayı görüntüle',
  viewPage: 'Durum sayfasını görüntüle',
  change: 'Aboneliği değiştir',
  openInstead: 'Ya da bu adresi açın',
  why: (page) => `Bu iletiyi ${page} sayfasına abone olduğunuz için alıyorsunuz.`,
  confirm: {
    subject: (page) => `${page} aboneliğinizi onaylayın`,
    about: (page) =>
      `Biri, büyük olasılıkla siz, ${page} sayfasındaki olayların ve bakımların buraya bildirilmesini istedi.`,
    button: 'Aboneliği onayla',
    footer:
      'Bağlantı 24 saat geçerlidir. İsteyen siz değilseniz bir şey yapmayın: başka ileti gelmez.',
  },
  already: {
    subject: (page) => `${page} aboneliğiniz`,
    about: (page) =>
      `Biri, büyük olasılıkla siz, buradan ${page} sayfasına abone olmak istedi. Abonelik zaten var.`,
  },
  allSections: 'Tüm hizmetler',
  noneForAll: 'Tüm hizmetler için bildirim almak üzere hiçbirini seçmeyin.',
  save: 'Kaydet',
  saved: 'Kaydedildi.',
  secret: 'İletiler bu gizli anahtarla imzalanır (Standard Webhooks)',
  checkMessage: 'Az önce oraya gönderdiğimiz iletideki bağlantıyı açın.',
  goTo: 'Durum sayfasına git',
}
