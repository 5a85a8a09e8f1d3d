// The ports of mail servers.

/** Where they take letters of each other; of people, with STARTTLS; and of people, with TLS from the first byte. */
export const smtpPort = 25
export const submissionPort = 587
export const smtpsPort = 465

/** Ports on which mail servers listen; the policy's rules about ports are not for them. */
export const mailPorts: ReadonlySet<number> = new Set([smtpPort, smtpsPort, submissionPort])
