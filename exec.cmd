@rem npm scripts begin with "exec", so that a shell hands its process over and stop signals arrive. Windows runs the rest.
@%*
