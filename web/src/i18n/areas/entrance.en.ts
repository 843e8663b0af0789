export default {
  entrance: { notSignedIn: 'You are not signed in', 'no-access': 'The provider knows you, but here your account could not be found, or it may not be used at present. Sign in with your password if you have one, or ask an admin of your organisation.', 'sign-in-failed': 'It took too long, was begun in another browser, or the provider refused. Please try again.', 'provider-unavailable': 'The provider cannot be reached at present. Sign in with your password if you have one, or try again later.' },
} as const
