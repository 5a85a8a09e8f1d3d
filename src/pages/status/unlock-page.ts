// The form of a status page with a password. It says nothing about the page.
import type { Language } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import { actionPage } from '../action-page.ts'
import type { Html } from '../html.ts'

interface UnlockWords {
  readonly title: string
  readonly sentence: string
  readonly password: string
  readonly button: string
  readonly wrong: string
}

export const unlockWords: Readonly<Record<Language, UnlockWords>> = {
  en: {
    title: 'This status page is protected',
    sentence: 'Enter the password that you were given.',
    password: 'Password',
    button: 'Open the page',
    wrong: 'This is not the password.',
  },
  de: {
    title: 'Diese Statusseite ist geschützt',
    sentence: 'Geben Sie das Passwort ein, das Sie erhalten haben.',
    password: 'Passwort',
    button: 'Seite öffnen',
    wrong: 'Das ist nicht das Passwort.',
  },
  fr: {
    title: 'Cette page de statut est protégée',
    sentence: 'Saisissez le mot de passe que vous avez reçu.',
    password: 'Mot de passe',
    button: 'Ouvrir la page',
    wrong: 'Ce n’est pas le mot de passe.',
  },
  es: {
    title: 'Esta página de estado está protegida',
    sentence: 'Introduzca la contraseña que ha recibido.',
    password: 'Contraseña',
    button: 'Abrir la página',
    wrong: 'Esta no es la contraseña.',
  },
  it: {
    title: 'Questa pagina di stato è protetta',
    sentence: 'Inserisca la password che ha ricevuto.',
    password: 'Password',
    button: 'Apri la pagina',
    wrong: 'Questa non è la password.',
  },
  pt: {
    title: 'Esta página de status está protegida',
    sentence: 'Digite a senha que você recebeu.',
    password: 'Senha',
    button: 'Abrir a página',
    wrong: 'Esta não é a senha.',
  },
  nl: {
    title: 'Deze statuspagina is beveiligd',
    sentence: 'Voer het wachtwoord in dat u hebt gekregen.',
    password: 'Wachtwoord',
    button: 'Pagina openen',
    wrong: 'Dit is niet het wachtwoord.',
  },
  pl: {
    title: 'Ta strona statusu jest chroniona',
    sentence: 'Wpisz otrzymane hasło.',
    password: 'Hasło',
    button: 'Otwórz stronę',
    wrong: 'To nie jest właściwe hasło.',
  },
  ja: {
    title: 'このステータスページは保護されています',
    sentence: 'お知らせしたパスワードを入力してください。',
    password: 'パスワード',
    button: 'ページを開く',
    wrong: 'パスワードが違います。',
  },
  zh: {
    title: '此状态页面受密码保护',
    sentence: '请输入您收到的密码。',
    password: '密码',
    button: '打开页面',
    wrong: '密码不正确。',
  },
  tr: {
    title: 'Bu durum sayfası korumalı',
    sentence: 'Size verilen parolayı girin.',
    password: 'Parola',
    button: 'Sayfayı aç',
    wrong: 'Parola bu değil.',
  },
  ar: {
    title: 'صفحة الحالة هذه محمية',
    sentence: 'أدخل كلمة المرور التي حصلت عليها.',
    password: 'كلمة المرور',
    button: 'فتح الصفحة',
    wrong: 'كلمة المرور غير صحيحة.',
  },
}

export interface UnlockForm {
  readonly language: Language
  readonly action: string
  /** Where the reader wanted to go, below the page; '' for the page itself. */
  readonly to: string
  readonly isWrong: boolean
}

export function unlockPage({ language, action, to, isWrong }: UnlockForm): Html {
  const { title, sentence, password, button, wrong } = unlockWords[language]
  return actionPage({
    title,
    language,
    sentences: [sentence],
    warning: isWrong ? wrong : undefined,
    form: {
      action,
      hidden: to === '' ? {} : { to },
      inputs: [
        {
          name: 'password',
          label: password,
          type: 'password',
          autocomplete: 'current-password',
          charsMax: limits.passwordCharsMax,
        },
      ],
      button,
    },
  })
}
