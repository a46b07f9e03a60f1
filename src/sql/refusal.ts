import { Fault, faults } from '#kernel/errors'

/** The policy, or an approval that does not fit, does not let the statement run. */
export class Refusal extends Fault {
  readonly rule: string
  readonly position: number | null

  constructor(rule: string, message: string, position: number | null = null) {
    super(faults.policyViolation, message)
    this.rule = rule
    this.position = position
  }
}
