/** What other pages show of agents. */
export { ModelOffer } from './models/model-offer.tsx'
export { RunsOfPerson } from './runs/runs-of-person.tsx'
export { AssignTicket } from './tickets/assign-ticket.tsx'
export { TicketRunCard } from './tickets/ticket-run-card.tsx'
