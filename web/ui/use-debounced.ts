import { useEffect, useState } from 'react'

/** The value after it has not changed for a moment, so that not every keystroke triggers a request. */
export function useDebounced<Value>(value: Value, milliseconds = 250): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
